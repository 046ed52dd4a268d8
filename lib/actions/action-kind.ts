import type { z } from "zod";
import type { Scope } from "#lib/auth/permissions.ts";
import type { Principal } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import type { Action, ActionKindName, ActionPreview, UndoLimit } from "./schema.ts";

export interface StoredAction {
  id: string;
  kind: ActionKindName;
  at: Date;
  changed: number;
  details: Record<string, unknown>;
  before: unknown;
}

export type UndoLimits = Partial<Record<UndoLimit, number>>;

/** Result of an undo that would run now. */
export interface Outlook {
  restorable: number;
  limits: UndoLimits;
  post?: Action["post"];
}

export interface UndoOutcome {
  restored: number;
  limits: UndoLimits;
  /** Work that follows the commit. */
  after?: () => Promise<unknown>;
}

/** A kind of action, declared by its domain and joined in app/api/v1/actions/kinds.ts. */
export interface ActionKind {
  /** Needed for the undo, as for the action. */
  scope: Scope;
  outlook: (actions: readonly StoredAction[]) => Promise<Map<string, Outlook>>;
  /** Restores as much as is still unchanged. Called once an action, as far as it is committed. */
  undo: (tx: Tx, principal: Principal, action: StoredAction) => Promise<UndoOutcome>;
}

export type ActionKinds = Record<ActionKindName, ActionKind>;

/** Counts an action before it is done. */
export interface Previewer<B extends z.ZodType = z.ZodType> {
  scope: Scope;
  /** The body of the action's own endpoint. */
  body: B;
  preview: (principal: Principal, body: z.output<B>) => Promise<ActionPreview>;
}

/** Gives `preview` the type of the body. */
export function previewer<B extends z.ZodType>(declared: Previewer<B>): Previewer {
  return declared;
}
