DEBUG = True
INSTALLED_APPS = ['shop']
ROOT_URLCONF = 'shop.urls'
