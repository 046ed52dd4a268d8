"use client";
import { useRef, useState } from "react";
import { countAction, isOutdated, useBlocking } from "#components/blocking/use-blocking.ts";
import { notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { ExportSettings, SwitchName } from "#lib/filters/schema.ts";

const w = words.filters;
const path = "/reblog-controls/settings";

/** Export switches, saved one after the other. A change that concerns several posts is asked with its figures. */
export function useSwitches(settings: ExportSettings) {
  const { data = settings, reload } = useApi<ExportSettings>(path, { fallback: settings });
  const { question, close, setQuestion, offerUndo } = useBlocking();
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
    notifyFailed(w.refused, asFailure(thrown));
  };

  const ask = async (name: SwitchName, on: boolean): Promise<void> => {
    const { token, changes, counts, warnings } = await countAction("settings", { [name]: on });
    if (changes === 0) {
      await reload();
      return settle(name);
    }
    const title = `${w.switches[name].name}: ${on ? words.common.on : words.common.off}`;
    const run = async () => {
      try {
        const body = { [name]: on, preview: token };
        const answer = await apiFetch<ExportSettings>(path, { method: "PUT", body });
        await reload(answer, { revalidate: false });
        settle(name);
        offerUndo(token, title, { name });
      } catch (thrown) {
        if (!isOutdated(thrown)) return fail(name, thrown);
        notifyInfo(words.actions.countedAgain);
        await ask(name, on).catch((again: unknown) => fail(name, again));
      }
    };
    const { held = 0, released = 0 } = counts;
    if (held + released <= 1) return run();
    const lines = [...(held > 0 ? [w.holds(held)] : []), ...(released > 0 ? [w.releases(released)] : [])];
    setQuestion({ title, lines, warnings, action: on ? w.switchOn : w.switchOff, run });
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
