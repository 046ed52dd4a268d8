/** The reference page around the reference. */
export const docs = {
  title: "API reference",
  failed: "The reference could not be loaded",
  withoutScript: "The reference needs scripts. The document itself is at",
} as const;
