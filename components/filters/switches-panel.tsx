"use client";
import { undoById } from "#components/actions/undo-store.ts";
import { Switch } from "#components/ui/choice.tsx";
import { Panel } from "#components/ui/card.tsx";
import { FieldSet } from "#components/ui/field.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { words } from "#components/words/en.ts";
import { act } from "#lib/client/actions.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { ExportSettings, SwitchName } from "#lib/filters/schema.ts";

const w = words.filters;
const path = "/reblog-controls/settings";
const groups: { legend: string; switches: SwitchName[] }[] = [
  { legend: w.groups.queue, switches: ["require_media", "require_alt_text"] },
  {
    legend: w.groups.fetch,
    switches: ["auto_reject_blocked_users", "auto_reject_blocked_hashtags", "auto_reject_bots"],
  },
];

export function SwitchesPanel({ settings }: { settings: ExportSettings }) {
  const mayManage = useCan("admin");
  const { data = settings, reload } = useApi<ExportSettings>(path, { fallback: settings });
  const flip = useMutation<{ name: SwitchName; on: boolean }, { answer: ExportSettings; id: string }>(
    ({ name, on }) => {
      void reload((now = settings) => ({ ...now, [name]: on }), { revalidate: false });
      return act(path, { method: "PUT", body: { [name]: on } });
    },
    {
      refresh: ["/curated*", "/posts*"],
      onDone: ({ answer, id }, { name, on }) => {
        void reload(answer, { revalidate: false });
        notifyDone(`${w.switches[name].name}: ${on ? words.common.on : words.common.off}`, {
          undo: () => undoById(id),
        });
      },
      onFailed: (failure) => {
        void reload();
        notifyFailed(w.refused, failure);
      },
    },
  );
  return (
    <Panel title={w.settings} description={w.settingsHint}>
      <div className="grid gap-6 desk:grid-cols-2">
        {groups.map((group) => (
          <FieldSet key={group.legend} legend={group.legend}>
            <div className="flex flex-col gap-2">
              {group.switches.map((name) => (
                <Switch
                  key={name}
                  label={w.switches[name].name}
                  hint={w.switches[name].hint}
                  checked={data[name]}
                  disabled={!mayManage}
                  onChange={(event) => void flip.run({ name, on: event.target.checked })}
                />
              ))}
            </div>
          </FieldSet>
        ))}
      </div>
    </Panel>
  );
}
