import httpx
from fastapi import FastAPI
app = FastAPI()

@app.post('/hook')
async def hook(callback: str):
    async with httpx.AsyncClient() as client:
        await client.post(callback, json={})  # ← here
