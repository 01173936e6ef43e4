import asyncio
from fastapi import FastAPI
app = FastAPI()

@app.get('/dig')
async def dig(name: str, retries: int = 3):
    await asyncio.create_subprocess_shell(f'dig +tries={retries} {name}')  # ← here
