"use client";
import { Panel } from "#components/ui/card.tsx";
import { saveTheme } from "#components/shell/save-theme.ts";
import { ThemeSwitch } from "#components/shell/theme-switch.tsx";

export function AppearancePanel() {
  return (
    <Panel title="Appearance" description="Applies to all your devices.">
      <ThemeSwitch onChange={saveTheme} />
    </Panel>
  );
}
