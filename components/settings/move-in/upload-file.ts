import { apiFetch } from "#lib/client/api-fetch.ts";
import { MAX_CHUNK, type ImportState } from "#lib/import-fenliu/schema.ts";

/**
 * Sends a file in parts, from where a former upload of a file of this size stopped.
 *
 * @throws ApiFailure
 */
export async function uploadFile(
  file: File,
  state: ImportState,
  onProgress: (part: number) => void,
): Promise<ImportState> {
  const { size } = file;
  const isSame = state.file?.size === size && state.file.uploaded < size;
  let latest = state;
  for (
    let offset = isSame ? (state.file?.uploaded ?? 0) : 0;
    offset < size;
    offset = latest.file?.uploaded ?? size
  ) {
    onProgress(offset / size);
    const path = `/import-fenliu/file?offset=${offset}&size=${size}`;
    latest = await apiFetch<ImportState>(path, {
      method: "PUT",
      body: file.slice(offset, offset + MAX_CHUNK),
    });
  }
  return latest;
}
