class ItemsController < ApplicationController
  def show
    @cart = Marshal.load(Base64.decode64(cookies[:cart])) # ← here
  end
end
