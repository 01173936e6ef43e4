namespace Shop;

public class Orders
{
  public void Configure(CookieAuthenticationOptions options)
  {
    options.Cookie.SecurePolicy = CookieSecurePolicy.Always;
  }
}
