"""What single families of models do: hear, see, paint, speak, translate, chat, by transformers, diffusers or ONNX."""
