/* The OpenAPI document for comparison: one line for each parameter, body, response and field. */

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
  default?: unknown;
};
type Content = { content?: Record<string, { schema?: Schema }> };
type Operation = {
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { headers?: Record<string, unknown> }>;
};
export type OutlinedDocument = {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas?: Record<string, unknown> };
};

const methods = ["get", "post", "put", "patch", "delete"];

export function outline(document: OutlinedDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) =>
      item[method] === undefined
        ? []
        : [operationLines(`${method.toUpperCase()} ${path}`, item[method] as Operation)],
    ),
  );
  const schemas = Object.entries(document.components.schemas ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `${name} = ${shape(schema as Schema)}`);
  return `${[...operations, ...schemas].join("\n")}\n`;
}

function operationLines(name: string, op: Operation): string {
  const who = (op.security ?? []).map((each) => Object.keys(each).join("+")).join("|") || "open";
  const parameters = (op.parameters ?? []).map(
    (each) => `${each.in}.${each.name}${each.required ? "" : "?"}: ${shape(each.schema ?? {})}`,
  );
  const body = op.requestBody
    ? [`body${op.requestBody.required ? "" : "?"}: ${contentShape(op.requestBody)}`]
    : [];
  const successes = Object.entries(op.responses)
    .filter(([status]) => status < "400")
    .map(([status, answer]) => {
      const headers = Object.keys(answer.headers ?? {}).filter((header) => header !== "X-Request-Id");
      return [status, contentShape(answer), ...headers].filter(Boolean).join(" ");
    });
  const refusals = Object.keys(op.responses).filter((status) => status >= "400");
  const lines = [...parameters, ...body, ...successes, refusals.join(" ")];
  return [`${name} [${who}]`, ...lines.map(indented)].join("\n");
}

function indented(text: string): string {
  return `  ${text.replaceAll("\n", "\n  ")}`;
}

function contentShape({ content }: Content): string {
  return Object.entries(content ?? {})
    .map(([type, { schema }]) => (type === "application/json" ? shape(schema ?? {}) : type))
    .join(" or ");
}

function shape(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").pop() ?? "";
  const options = schema.anyOf ?? schema.oneOf;
  const suffix = schema.default === undefined ? "" : `=${JSON.stringify(schema.default)}`;
  if (options !== undefined) return options.map(shape).join("|") + suffix;
  if (schema.allOf !== undefined) return schema.allOf.map(shape).join("&") + suffix;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join("|") + suffix;
  const types = schema.type === undefined ? ["any"] : [schema.type].flat();
  return types.map((type) => typeShape(type, schema)).join("|") + suffix;
}

function typeShape(type: string, schema: Schema): string {
  if (type === "array") return `${shape(schema.items ?? {})}[]`;
  if (type === "object") {
    const fields = Object.entries(schema.properties ?? {}).map(
      ([name, field]) => `${name}${schema.required?.includes(name) ? "" : "?"}: ${shape(field)}`,
    );
    const rest = schema.additionalProperties;
    if (typeof rest === "object") fields.push(`[name]: ${shape(rest)}`);
    return `{\n${fields.map(indented).join("\n")}\n}`;
  }
  const [low, high] =
    type === "string" ? [schema.minLength, schema.maxLength] : [schema.minimum, schema.maximum];
  const limits = low === undefined && high === undefined ? "" : `(${low ?? ""}..${high ?? ""})`;
  return (type === "string" ? (schema.format ?? type) : type) + limits;
}
