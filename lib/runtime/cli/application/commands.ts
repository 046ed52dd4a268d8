import { accountCommands } from "./accounts.ts";
import { importCommands } from "./import.ts";
import { keyCommands } from "./keys.ts";
import { listCommands } from "./lists.ts";
import type { ApplicationCommand } from "./reply.ts";
import { serviceCommands } from "./service.ts";
import { streamCommands } from "./streams.ts";

export const applicationCommands: Record<string, ApplicationCommand> = {
  ...accountCommands,
  ...keyCommands,
  ...streamCommands,
  ...serviceCommands,
  ...importCommands,
  ...listCommands,
};
