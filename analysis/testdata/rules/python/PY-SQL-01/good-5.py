from sqlalchemy import select

def find(session, name):
    return session.execute(select(User).where(User.name == name)).scalars()
