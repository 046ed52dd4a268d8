import type { BrowserContext, Page } from "@playwright/test";
import { apiCaller, strictly, type ApiCaller } from "./api-caller.ts";
import { startInstallation, type Installation } from "./installation.ts";
import { ADMIN, HASHTAGS } from "./journey-facts.ts";
import { openSession, type Session } from "./open-session.ts";
import { doSampleWork, type SampleWork } from "./sample-work.ts";
import { sessionCookies } from "./session-cookies.ts";

/** An installation with an administrator. */
export type Place = Installation & {
  /** The administrator's. */
  session: Session;
  /** Calls as the administrator; what is refused is an Error. */
  call: ApiCaller;
  /** Signs the administrator in to a browser. */
  admit: (context: BrowserContext) => Promise<void>;
  /** Opens a path with the administrator signed in, and waits for its heading. */
  open: (page: Page, path: string) => Promise<void>;
};

/**
 * Starts one.
 * @param options of `startInstallation`
 * @param prepare gives it what it shall have; what this returns belongs to the place
 */
export async function startPlace<Extra extends object>(
  options: Omit<Parameters<typeof startInstallation>[0], "settings">,
  prepare: (place: Place) => Promise<Extra>,
): Promise<Place & Extra> {
  const installation = await startInstallation({
    ...options,
    settings: {
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...(options.logFile === undefined ? {} : { LOG_LEVEL: "info" }),
    },
  });
  try {
    const { url } = installation.app;
    const session = await openSession(url, ADMIN.email, ADMIN.password);
    const admit = (context: BrowserContext) => context.addCookies(sessionCookies(session, url));
    const place: Place = {
      ...installation,
      session,
      call: strictly(apiCaller(url, { cookie: session.cookie, origin: url })),
      admit,
      open: async (page, path) => {
        await admit(page.context());
        await page.goto(new URL(path, url).href);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
      },
    };
    return { ...place, ...(await prepare(place)) };
  } catch (error) {
    await installation.takeDown();
    throw error;
  }
}

/** A place at work; `work` says what was done there. */
export type BusyPlace = Place & { work: SampleWork };

/** Starts one. */
export function startBusyPlace(): Promise<BusyPlace> {
  return startPlace({ hashtags: HASHTAGS }, async (place) => ({ work: await doSampleWork(place, HASHTAGS) }));
}
