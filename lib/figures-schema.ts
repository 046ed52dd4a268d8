import { postFigures } from "./post-figures-schema.ts";
import { workFigures } from "./work-figures-schema.ts";

/*
 * The definitions of all figures. Screens show them beside each figure, the API in its descriptions, and the CSV exports
 * in a column; the tests recompute each figure from its definition.
 */

export const figures = { ...postFigures, ...workFigures } as const;

export type FigureName = keyof typeof figures;

/** For descriptions of the API and for CSV exports: one paragraph. */
export function definitionOf(name: FigureName): string {
  const { formula, population, time } = figures[name];
  return `${formula} ${population} ${time}`;
}
