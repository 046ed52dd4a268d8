import { createRequire } from "node:module";
import path from "node:path";
import { CLASSES, INPUT_SIZE, type Scores } from "./model-names.ts";
import type { ModelArtifacts, ModelJson, Tensor, TensorflowPackages } from "./tensorflow.ts";

/*
 * The classifier: weights out of nsfwjs, run by TensorFlow.js on WebAssembly. Imported only by the engine process, and on
 * Vercel by the function. The packages are optional and loaded by `require`, so that a build works without them.
 */

const root = createRequire(path.join(/*turbopackIgnore: true*/ process.cwd(), "package.json"));
const load = <Name extends keyof TensorflowPackages>(name: Name) => root(name) as TensorflowPackages[Name];

type Core = TensorflowPackages["@tensorflow/tfjs-core"];
type Run = (pixels: Uint8Array) => Promise<Scores>;

let run: Promise<Run> | undefined;

/**
 * Loads the model at the first use.
 *
 * @param pixels red, green and blue of a square of `INPUT_SIZE` pixels
 */
export async function runModel(pixels: Uint8Array): Promise<Scores> {
  run ??= loadCore().then(loadModel);
  return (await run)(pixels);
}

async function loadCore(): Promise<Core> {
  const tensorflow = load("@tensorflow/tfjs-core");
  const { setWasmPaths } = load("@tensorflow/tfjs-backend-wasm");
  setWasmPaths(path.dirname(root.resolve("@tensorflow/tfjs-backend-wasm")) + path.sep);
  if (!(await tensorflow.setBackend("wasm"))) throw new Error("WebAssembly could not be started.");
  return tensorflow;
}

async function loadModel(tensorflow: Core): Promise<Run> {
  const { loadGraphModel } = load("@tensorflow/tfjs-converter");
  const artifacts = readArtifacts("mobilenet_v2_mid", 2);
  const model = await loadGraphModel({ load: () => Promise.resolve(artifacts) });
  const output = model.outputs[0]?.name;
  if (output === undefined) throw new Error("The model has no output.");
  return async (pixels) => {
    const input = inputOf(tensorflow, pixels);
    const scores = model.execute(input, output);
    try {
      return readScores(await scores.data());
    } finally {
      for (const tensor of [input, scores]) tensor.dispose();
    }
  };
}

/**
 * Reads the files themselves: nsfwjs loads all of TensorFlow.js, and its CommonJS entry makes a property of each character
 * of the weights (1.6 GB).
 */
function readArtifacts(name: string, shards: number): ModelArtifacts {
  const folder = path.join(path.dirname(root.resolve("nsfwjs")), "..", "models", name);
  const read = (file: string): unknown => {
    const id = path.join(folder, file);
    const content: unknown = root(id);
    // Otherwise the text of the weights would stay in memory.
    Reflect.deleteProperty(root.cache, id);
    return content;
  };
  const json = read("model.min.js") as ModelJson;
  const weights = Buffer.concat(
    Array.from({ length: shards }, (_, n) =>
      Buffer.from(read(`group1-shard${n + 1}of${shards}.min.js`) as string, "base64"),
    ),
  );
  return {
    modelTopology: json.modelTopology,
    format: json.format,
    weightSpecs: json.weightsManifest.flatMap((each) => each.weights),
    weightData: weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.byteLength),
  };
}

function inputOf(tensorflow: Core, pixels: Uint8Array): Tensor {
  const values = new Float32Array(pixels.length);
  // A loop, because Float32Array.from takes 15 times as long.
  for (let index = 0; index < values.length; index++) values[index] = (pixels[index] ?? 0) / 255;
  return tensorflow.tensor4d(values, [1, INPUT_SIZE, INPUT_SIZE, 3]);
}

function readScores(values: ArrayLike<number>): Scores {
  const named = CLASSES.map((name, index) => [name, values[index]] as const);
  if (values.length !== CLASSES.length || named.some(([, value]) => !Number.isFinite(value))) {
    throw new Error("The model gave no probabilities.");
  }
  return Object.fromEntries(named) as Scores;
}
