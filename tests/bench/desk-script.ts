import { seeded } from "#tests/simulated-server/random.ts";

export interface Step {
  key: string;
  pause_ms: number;
}

/** Half approved, some rejected or with a reason, one skipped, one undone. */
const MIX = "aaaaaarr1sz2" as const;

/**
 * The script of the reviewer, equal in every run.
 *
 * @param seconds sum of all pauses
 */
export function writeScript(decisions: number, seconds: number): Step[] {
  const random = seeded("reviewer");
  const keys: string[] = [];
  while (keys.length < decisions) {
    for (const key of random.sample([...MIX], MIX.length)) {
      if (key === "z" && (keys.length === 0 || keys.at(-1) === "z")) keys.push("a");
      else keys.push(key);
    }
  }
  const looks = keys.slice(0, decisions).map(() => 0.2 + random.next() ** 2 * 2.4);
  const all = looks.reduce((sum, look) => sum + look, 0);
  return looks.map((look, i) => ({ key: keys[i] ?? "a", pause_ms: (look / all) * seconds * 1000 }));
}
