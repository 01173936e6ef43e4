class ItemsController < ApplicationController
  def show
    Net::LDAP::Filter.construct("(objectClass=person)")
  end
end
