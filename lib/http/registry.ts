import type { AnyOperation, Method } from "./operation.ts";

export interface RegisteredPath {
  base: string;
  path: string;
  operations: Partial<Record<Method, AnyOperation>>;
}

const registered = new Map<string, RegisteredPath>();

/** Remembers a declared path, for the OpenAPI document and the tests that walk all endpoints. */
export function register(base: string, path: string, operations: RegisteredPath["operations"]): void {
  registered.set(base + path, { base, path, operations });
}

/** Every path whose route file has been loaded, in order of address. */
export function registeredPaths(): RegisteredPath[] {
  return [...registered.values()].sort((a, b) => (a.base + a.path < b.base + b.path ? -1 : 1));
}
