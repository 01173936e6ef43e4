def remove(user, item):
    assert user.has_perm('shop.delete_item'), 'not allowed'  # ← here
    item.delete()
