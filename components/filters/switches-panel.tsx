"use client";
import { switchLabels } from "#components/words.ts";
import { LazyReachDialog } from "#components/blocking/reach-dialog-lazy.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { FieldSet } from "#components/ui/field.tsx";
import type { ExportSettings, SwitchName } from "#lib/blocking/schema.ts";
import { useSwitches } from "./use-switches.ts";

const groups: { legend: string; switches: SwitchName[] }[] = [
  { legend: "Hold back from boost bots", switches: ["require_media", "require_alt_text"] },
  {
    legend: "Reject when fetched",
    switches: ["auto_reject_blocked_users", "auto_reject_blocked_hashtags", "auto_reject_bots"],
  },
];

export function SwitchesPanel({ settings }: { settings: ExportSettings }) {
  const mayManage = useCan("admin");
  const { switches, flip, question, close } = useSwitches(settings);
  return (
    <Panel
      title="Switches"
      description="They act at once on what is stored. Switching one off takes that back."
    >
      <div className="grid gap-6 desk:grid-cols-2">
        {groups.map((group) => (
          <FieldSet key={group.legend} legend={group.legend}>
            <div className="flex flex-col gap-2">
              {group.switches.map((name) => (
                <Switch
                  key={name}
                  label={switchLabels[name]}
                  checked={switches[name]}
                  disabled={!mayManage}
                  onChange={(event) => flip(name, event.target.checked)}
                />
              ))}
            </div>
          </FieldSet>
        ))}
      </div>
      {question ? <LazyReachDialog question={question} onClose={close} /> : null}
    </Panel>
  );
}
