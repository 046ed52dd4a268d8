"use client";
import { plural } from "#components/format.ts";
import { switchLabels } from "#components/words.ts";
import { useRef, useState } from "react";
import { useBlocking } from "#components/blocking/use-blocking.ts";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import type { ExportSettings, SwitchesChanged, SwitchName } from "#lib/blocking/schema.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useApi } from "#lib/client/use-api.ts";

const path = "/reblog-controls/settings";

/** Export switches, saved one after the other. A change that concerns several posts is asked with its figures. */
export function useSwitches(settings: ExportSettings) {
  const { data = settings, reload } = useApi<ExportSettings>(path, { fallback: settings });
  const { question, close, setQuestion, settle: refresh } = useBlocking();
  // Shown from the press until the answer, or until the question is closed.
  const [asked, setAsked] = useState<Partial<Record<SwitchName, boolean>>>({});
  const saving = useRef<SwitchName>(null);
  /** Pressed while another one was being saved. */
  const waiting = useRef(new Map<SwitchName, boolean>());

  const saveNext = () => {
    const [first] = waiting.current;
    if (saving.current !== null || first === undefined) return;
    const [name, on] = first;
    waiting.current.delete(name);
    saving.current = name;
    void ask(name, on).catch((thrown: unknown) => fail(name, thrown));
  };
  const settle = (name: SwitchName) => {
    // Its question was closed before the answer.
    if (saving.current !== name) return;
    saving.current = null;
    if (!waiting.current.has(name)) setAsked(({ [name]: _settled, ...others }) => others);
    close();
    saveNext();
  };
  const fail = (name: SwitchName, thrown: unknown) => {
    settle(name);
    void reload();
    notifyFailed("The change failed", asFailure(thrown));
  };

  const ask = async (name: SwitchName, on: boolean): Promise<void> => {
    const counted = await apiFetch<SwitchesChanged>(`${path}?dry_run=true`, {
      method: "PUT",
      body: { [name]: on },
    });
    const title = `${switchLabels[name]}: ${on ? "On" : "Off"}`;
    const run = async () => {
      try {
        await apiFetch(withQuery(path, { as_of: counted.as_of }), { method: "PUT", body: { [name]: on } });
        await reload();
        settle(name);
        notifyDone(title, { id: name });
        refresh();
      } catch (thrown) {
        fail(name, thrown);
      }
    };
    const { held, released, rejected, returned } = counted;
    if (held + released + rejected + returned <= 1) return run();
    const lines = [
      ...(held > 0 ? [`Holds ${plural(held, "approved post", "approved posts")} of the queue.`] : []),
      ...(released > 0
        ? [`Returns ${plural(released, "approved post", "approved posts")} to the queue.`]
        : []),
      ...(rejected > 0 ? [`Rejects ${plural(rejected, "post", "posts")} waiting for review.`] : []),
      ...(returned > 0 ? [`Returns ${plural(returned, "rejected post", "rejected posts")} to review.`] : []),
    ];
    setQuestion({ title, lines, action: on ? "Switch on" : "Switch off", run });
  };
  return {
    switches: { ...data, ...asked },
    question,
    close: () => {
      if (saving.current !== null) settle(saving.current);
    },
    flip: (name: SwitchName, on: boolean) => {
      setAsked((others) => ({ ...others, [name]: on }));
      waiting.current.set(name, on);
      saveNext();
    },
  };
}
