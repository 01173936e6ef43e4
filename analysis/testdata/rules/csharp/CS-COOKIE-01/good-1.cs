using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly string token;
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    Response.Cookies.Append("session", token, new CookieOptions { HttpOnly = true, Secure = true });
    return Ok();
  }
}
