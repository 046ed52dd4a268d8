/** The API reference around the texts of the OpenAPI document. */
export const docs = {
  title: "API reference",
  overview: "Overview",
  contents: "Sections",
  search: "Search operations",
  found: (count: number) =>
    count === 0 ? "No operation matches." : count === 1 ? "1 operation" : `${count} operations`,
  version: (version: string) => `Version ${version}`,
  document: "OpenAPI 3.1 document",
  authentication: "Authentication",
  variables: "The curl commands of this reference use two variables:",
  variablesLabel: "Shell variables",
  schemes: {
    ApiKey: "X-API-Key header",
    Bearer: "Authorization: Bearer",
    Session: "Session cookie",
  } as Readonly<Record<string, string>>,
  operations: "Operations",
  objects: "Objects",
  parameters: "Parameters",
  places: { path: "path", query: "query", header: "header" },
  required: "required",
  optional: "optional",
  body: "Request body",
  bodyOptional: "Request body (optional)",
  bodyExample: "Example body",
  answers: "Responses",
  answerExample: "Example response",
  sessionOnly: "Only for signed-in members; API keys are refused.",
  name: "Name",
  meaning: "Type and meaning",
  or: " or ",
  arrayOf: "array of",
  anyValue: "any value",
  preset: "default",
  characters: "characters",
  items: "items",
  range: (from: number | undefined, to: number | undefined, unit = "") => {
    const text =
      from === undefined
        ? to === undefined
          ? ""
          : `at most ${to}`
        : to === undefined
          ? `at least ${from}`
          : from === to
            ? `${from}`
            : `${from} to ${to}`;
    return text === "" || unit === "" ? text : `${text} ${unit}`;
  },
} as const;
