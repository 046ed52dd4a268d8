import { formatCount } from "#components/words/format.ts";

/** Results of a block. The questions before it are in `block-questions.ts`. */
export const blocking = {
  done: (name: string, held: number, rejected: number) =>
    [
      `${name} is blocked`,
      ...(held > 0 ? [`${formatCount(held)} held`] : []),
      ...(rejected > 0 ? [`${formatCount(rejected)} rejected`] : []),
    ].join(", "),
  unblocked: (name: string) => `${name} is no longer blocked`,
  alreadyBlocked: (name: string) => `${name} is already on the block list`,
  failed: "The block list was not changed",
} as const;
