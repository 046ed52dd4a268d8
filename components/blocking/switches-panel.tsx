"use client";
import { useRouter } from "next/navigation";
import { startTransition, useOptimistic, useRef, useState } from "react";
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
import { LazyReachDialog } from "./reach-dialog-lazy.tsx";
import type { PlainQuestion } from "./reach-question.ts";

const path = "/reblog-controls/settings";

const groups: { legend: string; switches: SwitchName[] }[] = [
  { legend: "Hold back from boost bots", switches: ["require_media", "require_alt_text"] },
  {
    legend: "Reject when fetched",
    switches: ["auto_reject_blocked_users", "auto_reject_blocked_hashtags", "auto_reject_bots"],
  },
];

/** A change that concerns several posts is asked with its figures. */
export function SwitchesPanel({ settings }: { settings: ExportSettings }) {
  const mayManage = useCan("admin");
  const router = useRouter();
  const [shown, show] = useOptimistic(settings, (now, change: Partial<ExportSettings>) => ({
    ...now,
    ...change,
  }));
  const [question, setQuestion] = useState<PlainQuestion | null>(null);
  const answered = useRef<() => void>(undefined);
  const close = () => {
    setQuestion(null);
    answered.current?.();
  };

  const change = async (name: SwitchName, on: boolean): Promise<void> => {
    const put = <Answer,>(query: Record<string, string | boolean | undefined>) =>
      apiFetch<Answer>(withQuery(path, query), { method: "PUT", body: { [name]: on } });
    const title = `${switchLabels[name]}: ${on ? "On" : "Off"}`;
    try {
      const counted = await put<SwitchesChanged>({ dry_run: true });
      const run = async () => {
        await put({ as_of: counted.as_of });
        notifyDone(title, { id: name });
        router.refresh();
      };
      const lines = linesOf(counted);
      if (counted.held + counted.released + counted.rejected + counted.returned <= 1) return await run();
      await new Promise<void>((resolve) => {
        answered.current = resolve;
        setQuestion({
          title,
          lines,
          action: on ? "Switch on" : "Switch off",
          run: () => run().catch(fail).then(close),
        });
      });
    } catch (thrown) {
      fail(thrown);
    }
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
                  checked={shown[name]}
                  disabled={!mayManage}
                  onChange={({ target: { checked } }) =>
                    startTransition(async () => {
                      show({ [name]: checked });
                      await change(name, checked);
                    })
                  }
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

function fail(thrown: unknown): void {
  notifyFailed("The change failed", asFailure(thrown));
}

function linesOf({ held, released, rejected, returned }: SwitchesChanged): string[] {
  return [
    ...(held > 0 ? [`Holds ${plural(held, "approved post", "approved posts")} of the queue.`] : []),
    ...(released > 0 ? [`Returns ${plural(released, "approved post", "approved posts")} to the queue.`] : []),
    ...(rejected > 0 ? [`Rejects ${plural(rejected, "post", "posts")} waiting for review.`] : []),
    ...(returned > 0 ? [`Returns ${plural(returned, "rejected post", "rejected posts")} to review.`] : []),
  ];
}
