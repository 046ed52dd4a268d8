"use client";
import { Panel } from "#components/ui/card.tsx";
import { saveTheme } from "#components/shell/save-theme.ts";
import { ThemeSwitch } from "#components/shell/theme-switch.tsx";
import { words } from "#components/words/en.ts";

export function AppearancePanel() {
  return (
    <Panel title={words.settings.appearance} description={words.settings.appearanceHint}>
      <ThemeSwitch onChange={saveTheme} />
    </Panel>
  );
}
