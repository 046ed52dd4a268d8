import { describe, expect, it } from "vitest";
import { blankInput } from "#tests/setup/feature-input.ts";
import { rocAuc } from "#tests/setup/prediction-figures.ts";
import type { EmptiedCounts } from "./emptied-examples.ts";
import { featureId, featureIds, featureKey, featureNames } from "./features.ts";
import { hashState, NO_REVIEWS, placeOf, predict, type Example, type ReviewCount } from "./model.ts";
import { trainFromHistory } from "./train.ts";

const seed = 7;
const key = featureKey(new Uint8Array(32).fill(1));
const words = "bird lake song rain tram moss giveaway airdrop token invest".split(" ");

/** Whole numbers from 0 to n - 1, the same in every run. */
function draws(): (n: number) => number {
  let state = 1;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** A made-up policy: two of four words of advertising, or one in a post of an instance that the team distrusts. */
function madeUpHistory(n: number): Example[] {
  const draw = draws();
  const reviews = new Map<string, ReviewCount>();
  const pastOf = (name: string) => reviews.get(name) ?? NO_REVIEWS;
  return Array.from({ length: n }, () => {
    const text = Array.from({ length: 8 }, () => words[draw(words.length)] ?? "");
    const instance = `host${draw(5)}.example`;
    const author = `user${draw(100)}@${instance}`;
    const advertising = new Set(text.filter((word) => words.indexOf(word) >= 6)).size;
    const rejected = advertising >= 3 || (advertising >= 1 && instance === "host0.example");
    const input = { ...blankInput, text: text.join(" "), language: "en" };
    const example = {
      features: featureIds(featureNames(input), key),
      past: { author: pastOf(author), instance: pastOf(instance) },
      rejected,
    };
    for (const name of [author, instance]) {
      const { reviewed, rejected: before } = pastOf(name);
      reviews.set(name, { reviewed: reviewed + 1, rejected: before + (rejected ? 1 : 0) });
    }
    return example;
  });
}

const labelsOf = (examples: Example[]) => examples.map(({ rejected }) => rejected);

describe("trainFromHistory", () => {
  const history = madeUpHistory(600);

  it("learns a made-up policy from 600 posts", async () => {
    const { predictions } = await trainFromHistory(history, { seed });
    const later = Array.from(predictions).slice(100);
    expect(rocAuc(later, labelsOf(history).slice(100))).toBeGreaterThan(0.9);
  });

  it("gives the same model for the same examples and seed", async () => {
    const [one, two, other] = await Promise.all(
      [seed, seed, seed + 1].map((each) => trainFromHistory(history, { seed: each })),
    );
    expect(hashState(one!.state)).toBe(hashState(two!.state));
    expect(hashState(one!.state)).not.toBe(hashState(other!.state));
    expect(one!.predictions).toEqual(two!.predictions);
  });

  it("predicts each example from the ones before it", async () => {
    const { predictions } = await trainFromHistory(history, { seed });
    for (const n of [0, 1, 57, 599]) {
      const { state } = await trainFromHistory(history.slice(0, n), { seed });
      expect(predict(state, history[n]!)).toBeCloseTo(predictions[n]!, 5);
    }
    const turned = history.map((each, i) => (i < 57 ? each : { ...each, rejected: !each.rejected }));
    const other = await trainFromHistory(turned, { seed });
    expect(other.predictions.slice(0, 58)).toEqual(predictions.slice(0, 58));
    expect(other.predictions[58]).not.toBe(predictions[58]);
  });

  it("lets other work run and stops when it is aborted", async () => {
    const controller = new AbortController();
    let learnt = 0;
    const many = Array.from({ length: 50 }, () => history).flat();
    const counted = many.map(({ rejected, ...traits }) => ({
      ...traits,
      get rejected() {
        learnt++;
        return rejected;
      },
    }));
    const reason = new Error("deadline");
    // Runs only if the training pauses.
    setImmediate(() => controller.abort(reason));
    const training = trainFromHistory(counted, { seed, signal: controller.signal });
    await expect(training).rejects.toBe(reason);
    expect(learnt).toBeLessThan(many.length);
    await expect(trainFromHistory([], { seed, signal: controller.signal })).rejects.toBe(reason);
  });

  it("counts the reviews of each feature exactly", async () => {
    const { state } = await trainFromHistory(history, { seed });
    for (const word of words) {
      const id = featureId(`word:${word}`, key);
      const having = history.filter(({ features }) => features.includes(id));
      const place = placeOf(state, id);
      expect([state.reviewed[place], state.rejected[place]]).toEqual([
        having.length,
        having.filter(({ rejected }) => rejected).length,
      ]);
    }
  });
});

describe("examples that were emptied", () => {
  const history = madeUpHistory(1_200);
  const test = history.slice(1_000);
  const options = { seed };
  const aucOf = async (examples: Example[], emptied?: EmptiedCounts) => {
    const { state } = await trainFromHistory(examples, { ...options, ...(emptied && { emptied }) });
    return rocAuc(
      test.map((example) => predict(state, example)),
      labelsOf(test),
    );
  };
  const countsOf = (examples: Example[]): EmptiedCounts => {
    const features = new Map<number, ReviewCount>();
    const add = ({ reviewed, rejected }: ReviewCount, more: boolean) => ({
      reviewed: reviewed + 1,
      rejected: rejected + (more ? 1 : 0),
    });
    for (const example of examples) {
      for (const id of example.features) {
        features.set(id, add(features.get(id) ?? NO_REVIEWS, example.rejected));
      }
    }
    const rejected = labelsOf(examples).filter(Boolean).length;
    return { posts: { reviewed: examples.length, rejected }, features };
  };

  it("teach by their counts what their features taught", async () => {
    const kept = history.slice(0, 1_000).filter((example, i) => example.rejected || i >= 970);
    const gone = history.slice(0, 970).filter((example) => !example.rejected);
    const [all, left, counted] = [
      (await aucOf(history.slice(0, 1_000))) ?? 0,
      (await aucOf(kept)) ?? 0,
      (await aucOf(kept, countsOf(gone))) ?? 0,
    ];
    expect(all - left).toBeGreaterThan(0.03);
    expect(all - counted).toBeLessThan(0.02);
  });
});
