import { seeded } from "#tests/simulated-server/random.ts";

/** One press of the scripted reviewer, and how long they look before it. */
export interface Step {
  key: string;
  pause_ms: number;
}

/** Half approved, some rejected, some with a reason by its number, one skipped, one taken back. */
const MIX = "aaaaaarr1sz2" as const;

/**
 * What somebody at the desk does, the same every time. Some posts take a blink and some are read.
 * @param seconds all pauses together
 */
export function writeScript(decisions: number, seconds: number): Step[] {
  const random = seeded("reviewer");
  const keys: string[] = [];
  while (keys.length < decisions) {
    for (const key of random.sample([...MIX], MIX.length)) {
      // Before anything is decided there is nothing to take back.
      if (key === "z" && (keys.length === 0 || keys.at(-1) === "z")) keys.push("a");
      else keys.push(key);
    }
  }
  // Long looks are rare, and no two presses are nearer than a hand can.
  const looks = keys.slice(0, decisions).map(() => 0.2 + random.next() ** 2 * 2.4);
  const all = looks.reduce((sum, look) => sum + look, 0);
  return looks.map((look, i) => ({ key: keys[i] ?? "a", pause_ms: (look / all) * seconds * 1000 }));
}
