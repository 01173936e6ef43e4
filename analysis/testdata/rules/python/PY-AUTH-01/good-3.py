def name_of(user):
    assert user is not None
    return user.name
