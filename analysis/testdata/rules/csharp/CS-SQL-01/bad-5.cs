namespace Shop;

public class Orders
{
  private readonly ShopContext db;
  
  public int Rename(Request given)
  {
    return db.Database.ExecuteSqlRaw(string.Format("update orders set name = '{0}'", HttpContext.Request.Form["name"])); // ← here
  }
}
