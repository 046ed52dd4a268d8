"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { plural } from "#components/format.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { FieldSet } from "#components/ui/field.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { switchLabels } from "#components/words.ts";
import type { ExportSettings, SwitchesChanged, SwitchName } from "#lib/blocking/schema.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useQuestion, type ReachQuestion } from "./use-question.tsx";

const path = "/reblog-controls/settings";

const groups: { legend: string; switches: SwitchName[] }[] = [
  { legend: "Hold back from boost bots", switches: ["require_media", "require_alt_text"] },
  {
    legend: "Reject when fetched",
    switches: ["auto_reject_blocked_users", "auto_reject_blocked_hashtags", "auto_reject_bots"],
  },
];

/** Asks for confirmation, with the numbers of posts, before a change that affects several posts. */
export function SwitchesPanel({ settings }: { settings: ExportSettings }) {
  const mayManage = useCan("admin");
  const router = useRouter();
  const { start, dialog } = useQuestion();
  /** Optimistic state until the server has answered. */
  const [pressed, setPressed] = useState<Partial<Record<SwitchName, boolean>>>({});

  const change = (name: SwitchName, on: boolean): Promise<void> => {
    const title = `${switchLabels[name]}: ${on ? "On" : "Off"}`;
    const put = (query: { dry_run?: boolean; as_of?: string | undefined }) =>
      apiFetch<SwitchesChanged>(withQuery(path, query), { method: "PUT", body: { [name]: on } });
    const apply = async (as_of: string | undefined): Promise<void> => {
      await put({ as_of });
      setPressed((now) => ({ ...now, [name]: on }));
      notifyDone(title, { id: name });
      router.refresh();
    };
    const failed = (thrown: unknown) => {
      setPressed({});
      notifyFailed("The change failed", asFailure(thrown));
    };
    return start(async (): Promise<ReachQuestion | void> => {
      setPressed({ [name]: on });
      const counted = await put({ dry_run: true });
      const { held, released, rejected, returned, as_of } = counted;
      if (held + released + rejected + returned <= 1) return apply(as_of);
      setPressed({});
      const run = () => start(() => apply(as_of), failed);
      return { action: on ? "Switch on" : "Switch off", choices: [{ title, lines: linesOf(counted), run }] };
    }, failed);
  };
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
                  checked={pressed[name] ?? settings[name]}
                  disabled={!mayManage}
                  onChange={({ target: { checked } }) => void change(name, checked)}
                />
              ))}
            </div>
          </FieldSet>
        ))}
      </div>
      {dialog}
    </Panel>
  );
}

function linesOf({ held, released, rejected, returned }: SwitchesChanged): string[] {
  return [
    ...(held > 0 ? [`Holds ${plural(held, "approved post", "approved posts")} of the queue.`] : []),
    ...(released > 0 ? [`Returns ${plural(released, "approved post", "approved posts")} to the queue.`] : []),
    ...(rejected > 0 ? [`Rejects ${plural(rejected, "post", "posts")} waiting for review.`] : []),
    ...(returned > 0 ? [`Returns ${plural(returned, "rejected post", "rejected posts")} to review.`] : []),
  ];
}
