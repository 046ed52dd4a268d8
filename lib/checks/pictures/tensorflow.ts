/* The parts of TensorFlow.js that are used. Its own types are in optional packages, without which types are checked, too. */

export interface Tensor {
  data: () => Promise<Float32Array>;
  dispose: () => void;
}

export interface ModelArtifacts {
  modelTopology: object;
  format: string | undefined;
  weightSpecs: object[];
  weightData: ArrayBuffer;
}

/** `model.json` of a converted model. */
export interface ModelJson {
  modelTopology: object;
  format?: string;
  weightsManifest: { weights: object[] }[];
}

interface LoadHandler {
  load: () => Promise<ModelArtifacts>;
}

export interface TensorflowPackages {
  "@tensorflow/tfjs-core": {
    setBackend: (name: "wasm") => Promise<boolean>;
    tensor4d: (values: Float32Array, shape: [number, number, number, number]) => Tensor;
  };
  "@tensorflow/tfjs-backend-wasm": {
    /** @param folder ends with a separator */
    setWasmPaths: (folder: string) => void;
  };
  "@tensorflow/tfjs-converter": {
    loadGraphModel: (handler: LoadHandler) => Promise<{
      outputs: { name: string }[];
      execute: (input: Tensor, output: string) => Tensor;
    }>;
  };
}
