/** The list of keys. */
export const keys = {
  title: "Keys",
  hint: "They work while no text field has the focus and no dialog is open.",
  everywhere: "On every page",
  places: "Go to a page",
  help: "Show all keys",
  listMove: "Next and previous post",
  listArrows: "Move between posts",
  listEnds: "First and last post",
  listSelect: "Select or unselect",
  listExtend: "Select a range",
  listPreview: "Preview with its pictures",
  listPage: "Open the page of the post",
  list: "Grid and list: decisions are for the selection, else for the focused post",
} as const;
