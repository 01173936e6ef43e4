Future<void> save(SharedPreferences prefs, String theme) => prefs.setString('theme', theme);
