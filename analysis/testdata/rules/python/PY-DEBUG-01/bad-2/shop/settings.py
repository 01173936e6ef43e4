DEBUG = True  # ← here
INSTALLED_APPS = ['shop']
ROOT_URLCONF = 'shop.urls'
