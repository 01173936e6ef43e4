using System.Security.Cryptography;
using System.Text;

namespace Shop;

public class Orders
{
  public string Sign(string text) => Convert.ToHexString(SHA1.HashData(Encoding.UTF8.GetBytes(text))); // ← here
}
