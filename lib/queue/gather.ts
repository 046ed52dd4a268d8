import { isDatabaseAway } from "#lib/errors.ts";

/** Groups under way at once: while one commits, the next is at work. */
const LANES = 2;
/** Milliseconds after which a caller who waits does not try a database that has just been away for a group. */
const PATIENCE = 2_000;
/** Callers in a group: what is lost together when the database refuses. */
const MOST = 64;

/**
 * Lets calls of the same kind share their way to the database. A call goes at once while a lane is free; those that
 * come while all lanes are under way wait for the next one and go together, in the order in which they came. So one
 * caller alone waits for nobody, and many callers cost little more than one: most of a small write is its round
 * trip, its statement's start and its commit.
 *
 * @param run answers the items of a group, in their order. When it throws, all of its callers get that error; when
 *   the database is away, so do those who have waited long: a silent one would keep each group for seconds, and the
 *   last in line for minutes.
 */
export function gather<Item, Answer>(
  run: (items: Item[]) => Promise<Answer[]>,
): (item: Item) => Promise<Answer> {
  interface Caller {
    item: Item;
    since: number;
    resolve: (answer: Answer) => void;
    reject: (reason: unknown) => void;
  }
  const waiting: Caller[] = [];
  let underWay = 0;

  async function serve(group: Caller[]): Promise<void> {
    try {
      const answers = await run(group.map((caller) => caller.item));
      group.forEach((caller, i) => caller.resolve(answers[i] as Answer));
    } catch (error) {
      for (const caller of group) caller.reject(error);
      if (!isDatabaseAway(error)) return;
      const patient = waiting.findIndex((caller) => performance.now() - caller.since < PATIENCE);
      for (const caller of waiting.splice(0, patient < 0 ? waiting.length : patient)) caller.reject(error);
    }
  }

  function depart(): void {
    while (underWay < LANES && waiting.length > 0) {
      underWay += 1;
      void serve(waiting.splice(0, MOST)).then(() => {
        underWay -= 1;
        depart();
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, since: performance.now(), resolve, reject });
      depart();
    });
}
