"""Model providers behind one face: `provider.ModelProvider`.

`you`: the person writes the answer. `openai_compatible`: any endpoint that speaks OpenAI's chat completions.
"""
