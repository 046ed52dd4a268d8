/** The reference page around the reference. */
export const docs = {
  title: "API reference",
  failed: "The reference could not be loaded",
  copy: "Copy",
  value: "Value",
  withoutScript: "The reference needs scripts. The document itself is at",
} as const;
