using System.Security.Cryptography;
using System.Text;

namespace Shop;

public class Orders
{
  public byte[] HashPassword(string password)
  {
    using var hash = MD5.Create(); // ← here
    return hash.ComputeHash(Encoding.UTF8.GetBytes(password));
  }
}
