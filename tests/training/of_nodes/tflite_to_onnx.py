"""Converts TensorFlow Lite models, such as those of resources/vision, to ONNX.

`python tests/training/of_nodes/tflite_to_onnx.py IN OUT [--int8] NAME...`

Needs the packages `tflite` and `onnx`, which Graphwright itself does not. NAMEs are the outputs to keep. Weights are
stored in 16 bits, or with --int8 in 8 bits with a scale for each output channel, and become floats when the model is
loaded. Inputs and outputs keep TensorFlow's order (1, height, width, channels); inside it is ONNX's.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import tflite
from onnx import TensorProto, helper, numpy_helper

_NAMES = {number: name for name, number in vars(tflite.BuiltinOperator).items() if isinstance(number, int)}
_TYPES = {0: np.float32, 1: np.float16, 2: np.int32}
_TO_CHANNELS_FIRST, _TO_CHANNELS_LAST = (0, 3, 1, 2), (0, 2, 3, 1)
_PLAIN = {"ADD": "Add", "MUL": "Mul", "RELU": "Relu", "LOGISTIC": "Sigmoid", "HARD_SWISH": "HardSwish"}


class Converter:
    """One model on its way to ONNX; `constants` holds dense arrays, `nodes` what is computed."""

    def __init__(self, data: bytes, eight_bits: bool) -> None:
        self.model = tflite.Model.GetRootAs(data, 0)
        self.graph = self.model.Subgraphs(0)
        self.eight_bits = eight_bits
        self.constants: dict[int, np.ndarray] = {}
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        for index in range(self.graph.TensorsLength()):
            tensor = self.graph.Tensors(index)
            buffer = self.model.Buffers(tensor.Buffer())
            if buffer.DataLength():
                self.constants[index] = _dense(tensor, buffer.DataAsNumpy().tobytes())

    def converted(self, outputs: list[str]) -> onnx.ModelProto:
        first = int(self.graph.Inputs(0))
        self.add("Transpose", ["image"], self.name(first), perm=_TO_CHANNELS_FIRST)
        for index in range(self.graph.OperatorsLength()):
            self.operator(self.graph.Operators(index))
        given = helper.make_tensor_value_info("image", TensorProto.FLOAT, self.shape(first))
        made = []
        for index in map(int, self.graph.OutputsAsNumpy()):
            name = self.graph.Tensors(index).Name().decode()
            if name in outputs:
                if len(self.shape(index)) == 4:
                    self.add("Transpose", [self.name(index)], name, perm=_TO_CHANNELS_LAST)
                else:
                    self.add("Identity", [self.name(index)], name)
                made.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, self.shape(index)))
        graph = helper.make_graph(self._needed(outputs), "converted", [given], made)
        used = {name for node in graph.node for name in node.input}
        graph.initializer.extend({each.name: each for each in self.weights if each.name in used}.values())
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
        onnx.checker.check_model(model)
        return model

    def operator(self, operator: Any) -> None:
        code = self.model.OperatorCodes(operator.OpcodeIndex())
        kind = _NAMES[max(code.BuiltinCode(), code.DeprecatedBuiltinCode())]
        inputs, output = [int(i) for i in operator.InputsAsNumpy()], int(operator.Outputs(0))
        if kind in ("DEQUANTIZE", "DENSIFY"):
            self.constants[output] = self.constants[inputs[0]].astype(_TYPES[self.graph.Tensors(output).Type()])
            return
        options = operator.BuiltinOptions()
        target = self.name(output)
        fused = 0
        if kind in ("CONV_2D", "DEPTHWISE_CONV_2D"):
            fused = self.convolution(kind, inputs, output, options)
        elif kind == "CUSTOM":  # MediaPipe's Convolution2DTransposeBias; its options are padding and strides
            strides = np.frombuffer(operator.CustomOptionsAsNumpy().tobytes(), np.int32)[1:].tolist()
            kernel = self.constants[inputs[1]].transpose(3, 0, 1, 2)
            parts = [self.name(inputs[0]), self.weight(target + "/kernel", kernel, 1), self.given(inputs[2])]
            self.add("ConvTranspose", parts, target, strides=strides)
        elif kind in _PLAIN:
            if kind in ("ADD", "MUL"):
                fused = _options(tflite.AddOptions if kind == "ADD" else tflite.MulOptions, options)
                fused = fused.FusedActivationFunction()
            self.add(_PLAIN[kind], [self.given(i) for i in inputs], target)
        elif kind in ("MAX_POOL_2D", "AVERAGE_POOL_2D"):
            fused = self.pooling(kind, inputs[0], output, options)
        elif kind == "MEAN":
            self.add("ReduceMean", [self.name(inputs[0])], target, axes=[2, 3], keepdims=1)
        elif kind == "PAD":
            pads = self.constants[inputs[1]].reshape(-1, 2)[list(_TO_CHANNELS_FIRST)].T.ravel().astype(np.int64)
            self.add("Pad", [self.name(inputs[0]), self.integers(target + "/pads", pads)], target)
        elif kind == "DEPTH_TO_SPACE":
            size = _options(tflite.DepthToSpaceOptions, options).BlockSize()
            self.add("DepthToSpace", [self.name(inputs[0])], target, blocksize=size, mode="DCR")
        elif kind == "RESIZE_BILINEAR":
            told = _options(tflite.ResizeBilinearOptions, options)
            corners = "align_corners" if told.AlignCorners() else "asymmetric"
            way = "half_pixel" if told.HalfPixelCenters() else corners
            sizes = np.array(self.shape(output))[list(_TO_CHANNELS_FIRST)].astype(np.int64)
            parts = [self.name(inputs[0]), "", "", self.integers(target + "/sizes", sizes)]
            self.add("Resize", parts, target, mode="linear", coordinate_transformation_mode=way)
        elif kind == "RESHAPE":
            source = self.name(inputs[0])
            if len(self.shape(inputs[0])) == 4:
                self.add("Transpose", [source], target + "/last", perm=_TO_CHANNELS_LAST)
                source = target + "/last"
            shape = self.integers(target + "/shape", np.array(self.shape(output), np.int64))
            if len(self.shape(output)) == 4:
                raise NotImplementedError("a reshape to four dimensions")
            self.add("Reshape", [source, shape], target)
        elif kind == "CONCATENATION":
            axis = _options(tflite.ConcatenationOptions, options).Axis()
            axis = _TO_CHANNELS_FIRST.index(axis % 4) if len(self.shape(output)) == 4 else axis
            self.add("Concat", [self.name(i) for i in inputs], target, axis=axis)
        else:
            raise NotImplementedError(kind)
        self._fuse(fused, target)

    def convolution(self, kind: str, inputs: list[int], output: int, options: Any) -> int:
        told = _options(tflite.Conv2DOptions if kind == "CONV_2D" else tflite.DepthwiseConv2DOptions, options)
        kernel = self.constants[inputs[1]]
        kernel = kernel.transpose(0, 3, 1, 2) if kind == "CONV_2D" else kernel.transpose(3, 0, 1, 2)
        strides = [told.StrideH(), told.StrideW()]
        pads = self.pads(told.Padding(), inputs[0], output, kernel.shape[2:], strides)
        target = self.name(output)
        parts = [self.name(inputs[0]), self.weight(target + "/kernel", kernel, 0)]
        parts += [self.given(inputs[2])] if len(inputs) > 2 and inputs[2] >= 0 else []
        group = 1 if kind == "CONV_2D" else kernel.shape[0]
        self.add("Conv", parts, target, strides=strides, pads=pads, group=group)
        return told.FusedActivationFunction()

    def pooling(self, kind: str, source: int, output: int, options: Any) -> int:
        told = _options(tflite.Pool2DOptions, options)
        size, strides = [told.FilterHeight(), told.FilterWidth()], [told.StrideH(), told.StrideW()]
        pads = self.pads(told.Padding(), source, output, size, strides)
        name = "MaxPool" if kind == "MAX_POOL_2D" else "AveragePool"
        self.add(name, [self.name(source)], self.name(output), kernel_shape=size, strides=strides, pads=pads)
        return told.FusedActivationFunction()

    def pads(self, padding: int, source: int, output: int, kernel: Any, strides: list[int]) -> list[int]:
        """ONNX's begin and end pads for TensorFlow's SAME (0) or VALID (1)."""
        if padding == 1:
            return [0, 0, 0, 0]
        whole = [
            max((self.shape(output)[1 + i] - 1) * strides[i] + kernel[i] - self.shape(source)[1 + i], 0) for i in (0, 1)
        ]
        return [each // 2 for each in whole] + [each - each // 2 for each in whole]

    def given(self, index: int) -> str:
        """The name of an input that may be a constant, whose channels then come first."""
        if index not in self.constants:
            return self.name(index)
        array = self.constants[index].astype(np.float32)
        array = array.transpose(_TO_CHANNELS_FIRST) if array.ndim == 4 else array
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(array), self.name(index)))
        return self.name(index)

    def weight(self, name: str, array: np.ndarray, channel: int) -> str:
        """A constant that is stored small; `channel` is its axis of output channels."""
        if self.eight_bits and array.size > 512:
            others = tuple(axis for axis in range(array.ndim) if axis != channel)
            scale = np.maximum(np.abs(array).max(axis=others, keepdims=True), 1e-12).astype(np.float32) / 127
            self.weights.append(numpy_helper.from_array(np.rint(array / scale).astype(np.int8), name + "/8"))
            self.weights.append(numpy_helper.from_array(scale, name + "/scale"))
            self.add("Cast", [name + "/8"], name + "/float", to=TensorProto.FLOAT)
            self.add("Mul", [name + "/float", name + "/scale"], name)
        else:
            small = np.ascontiguousarray(array).astype(np.float16)
            self.weights.append(numpy_helper.from_array(small, name + "/16"))
            self.add("Cast", [name + "/16"], name, to=TensorProto.FLOAT)
        return name

    def integers(self, name: str, array: np.ndarray) -> str:
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> None:
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))

    def name(self, index: int) -> str:
        return f"t{index}"

    def shape(self, index: int) -> list[int]:
        return [int(side) for side in self.graph.Tensors(index).ShapeAsNumpy()]

    def _fuse(self, activation: int, target: str) -> None:
        """Puts RELU (1) or RELU6 (3) behind the last node."""
        if not activation:
            return
        self.nodes[-1].output[0] = target + "/before"
        if activation == 1:
            self.add("Relu", [target + "/before"], target)
        elif activation == 3:
            bounds = [self.integers(f"{target}/{n}", np.array(n, np.float32)) for n in (0, 6)]
            self.add("Clip", [target + "/before", *bounds], target)
        else:
            raise NotImplementedError(f"activation {activation}")

    def _needed(self, outputs: list[str]) -> list[Any]:
        wanted, kept = set(outputs), []
        for node in reversed(self.nodes):
            if wanted & set(node.output):
                wanted |= set(node.input)
                kept.append(node)
        return kept[::-1]


def _dense(tensor: Any, data: bytes) -> np.ndarray:
    """The values of a constant; those stored sparsely have the last axis as compressed rows."""
    values = np.frombuffer(data, _TYPES[tensor.Type()])
    shape = tensor.ShapeAsNumpy()
    if tensor.Sparsity() is None:
        return values.reshape(shape)
    *dense, last = (tensor.Sparsity().DimMetadata(i) for i in range(len(shape)))
    order = tensor.Sparsity().TraversalOrderAsNumpy()
    if any(each.Format() for each in dense) or last.Format() != 1 or list(order) != list(range(len(shape))):
        raise NotImplementedError("another form of sparse weights")
    kinds = {1: tflite.Int32Vector, 2: tflite.Uint16Vector, 3: tflite.Uint8Vector}
    ends = _options(kinds[last.ArraySegmentsType()], last.ArraySegments()).ValuesAsNumpy().astype(int)
    places = _options(kinds[last.ArrayIndicesType()], last.ArrayIndices()).ValuesAsNumpy().astype(int)
    rows = np.zeros((int(np.prod(shape[:-1])), int(shape[-1])), values.dtype)
    rows[np.repeat(np.arange(len(rows)), np.diff(ends)), places] = values
    return rows.reshape(shape)


def _options(kind: Any, table: Any) -> Any:
    told = kind()
    told.Init(table.Bytes, table.Pos)
    return told


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--int8"]
    onnx.save(Converter(Path(words[0]).read_bytes(), "--int8" in sys.argv).converted(words[2:]), words[1])
