"use client";
import { Panel } from "#components/ui/card.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { keepTheme } from "#components/shell/keep-theme.ts";
import { ThemeSwitch } from "#components/shell/theme-switch.tsx";
import { words } from "#components/words/en.ts";

const w = words.settings;

/** Theme, and the way to what is set at the desk itself. */
export function AppearancePanel() {
  const mayReview = useCan("reviewer");
  return (
    <>
      <Panel title={w.appearance} description={w.appearanceHint}>
        <ThemeSwitch onChange={keepTheme} />
      </Panel>
      {mayReview ? (
        <Panel
          title={w.reviewing}
          description={w.reviewingHint}
          actions={
            <ButtonLink href="/review" size="sm">
              {w.openDesk}
            </ButtonLink>
          }
        />
      ) : null}
    </>
  );
}
