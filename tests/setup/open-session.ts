export type Session = {
  /** The `Cookie` header of this session. */
  cookie: string;
  /**
   * Sends JSON to the API as the dashboard does.
   * @throws Error with the status and the answer when it is refused
   */
  post: <Body = Record<string, unknown>>(path: string, body: unknown) => Promise<Body>;
};

/**
 * Signs in to a running Sluice as a script can: csrf token, then e-mail and password.
 * @param url the service's address, which must be its PUBLIC_URL
 */
export async function openSession(url: string, email: string, password: string): Promise<Session> {
  const jar = new Map<string, string>();
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
  };
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const started = await fetch(`${url}/api/auth/csrf`);
  keep(started);
  const { csrfToken } = (await started.json()) as { csrfToken: string };
  const signedIn = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookie(), origin: url, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ email, password, csrfToken, json: "true" }).toString(),
  });
  keep(signedIn);
  if (![...jar.keys()].some((name) => name.endsWith("session-token"))) {
    throw new Error(`Signing in as ${email} failed: ${signedIn.status} ${await signedIn.text()}`);
  }
  return {
    cookie: cookie(),
    post: async <Body>(path: string, body: unknown) => {
      const response = await fetch(url + path, {
        method: "POST",
        headers: { cookie: cookie(), origin: url, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
      return (text === "" ? null : JSON.parse(text)) as Body;
    },
  };
}
