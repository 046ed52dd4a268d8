import { apiFetch } from "./api-fetch.ts";

/** Ends the session and goes to the sign-in page. Throws ApiFailure when the server did not answer. */
export async function signOut(): Promise<void> {
  const { csrfToken } = await apiFetch<{ csrfToken: string }>("/api/auth/csrf");
  // next-auth reads a form and answers JSON when asked to; its own client library would add session polling.
  await fetch("/api/auth/signout", {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ csrfToken, json: "true", callbackUrl: "/sign-in" }),
  });
  // A full load, so that nothing of the session stays in memory.
  window.location.assign("/sign-in");
}
