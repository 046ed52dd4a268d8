import { accountCommands } from "./accounts.ts";
import { importCommands } from "./import.ts";
import { keyCommands } from "./keys.ts";
import type { ApplicationCommand } from "./reply.ts";
import { status } from "./status.ts";

export const applicationCommands: Record<string, ApplicationCommand> = {
  ...accountCommands,
  ...keyCommands,
  ...importCommands,
  status,
};
