export interface FigureDefinition {
  name: string;
  /** How it is computed. */
  formula: string;
  /** The things that are counted. */
  population: string;
  /** The event time by which a range selects. */
  time: string;
}

export const STORED = "Posts that are stored now. Deleted posts do not count.";
export const EVENTS = "All posts, also those that were deleted later.";
export const NOW = "Now.";
export const RANGE = "By UTC day of the event, both ends of the range included.";
