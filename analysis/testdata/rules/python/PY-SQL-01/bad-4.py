from sqlalchemy import text
from fastapi import FastAPI, Depends
app = FastAPI()

@app.get('/users/{name}')
def find(name: str, db=Depends(session)):
    query = "select * from users"
    query += " where name = '" + name + "'"
    return db.execute(text(query)).all()  # ← here
