from fastapi import FastAPI
from fastapi.responses import HTMLResponse
app = FastAPI()

@app.get('/search')
def search(q: str):
    return HTMLResponse(f'<p>Nothing for {q}</p>')  # ← here
