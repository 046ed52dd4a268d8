export interface PostTextProps {
  /** HTML of another server, sanitised on ingest. */
  html: string;
  lang?: string | null;
}

export function PostText({ html, lang }: PostTextProps) {
  return (
    <div
      dir="auto"
      lang={lang ?? undefined}
      className="post-text"
      // Sanitised; the content security policy also blocks scripts without the nonce.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
