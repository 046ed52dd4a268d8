import { fieldExamples } from "./field-examples.ts";
import { fieldWords } from "./field-words.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Fields = Record<string, Json>;

/** Gives each field of a generated OpenAPI document its description and example, unless its schema has them. */
export function describeFields(document: Record<string, unknown>): void {
  const { schemas } = document.components as { schemas: Fields };
  for (const [component, schema] of Object.entries(schemas)) walk(schema, component);
  walk(document.paths as Json, "");
}

function walk(value: Json, component: string): void {
  if (Array.isArray(value)) return value.forEach((each) => walk(each, component));
  if (typeof value !== "object" || value === null) return;
  if (value.in === "query" && typeof value.name === "string") describeParameter(value, value.name);
  if (value.type === "object" && isFields(value.properties)) describe(value.properties, component);
  for (const [key, each] of Object.entries(value)) {
    if (key !== "example" && key !== "examples") walk(each, component);
  }
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(properties: Fields, component: string): void {
  for (const [name, field] of Object.entries(properties)) {
    if (!isFields(field)) continue;
    const keys = [`${component}.${name}`, `${name}:${typeOf(field)}`, name];
    const description = keys.map((key) => fieldWords[key]).find((words) => words !== undefined);
    if (description !== undefined) field.description ??= description;
    if (!needsExample(name, field) || field.examples !== undefined) continue;
    const example = keys.map((key) => fieldExamples[key]).find((each) => each !== undefined);
    if (example !== undefined) field.example ??= example;
  }
}

function describeParameter(parameter: Fields, name: string): void {
  if (isFields(parameter.schema) && parameter.schema.description !== undefined) return;
  const description = fieldWords[`?${name}`];
  if (description !== undefined) parameter.description ??= description;
}

function typeOf(field: Fields): string {
  return [field.type].flat().map(String).join("|");
}

/** Texts of any form, and ids. */
function needsExample(name: string, field: Fields): boolean {
  const types = [field.type].flat();
  if (field.enum !== undefined || field.const !== undefined) return false;
  return types.includes("string") || (types.includes("integer") && /(^|_)id$/.test(name));
}
