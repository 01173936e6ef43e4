class Login {
  final SharedPreferences preferences;
  Login(this.preferences);

  void remember(String user, String password) {
    preferences.setString('password', password); // ← here
  }
}
